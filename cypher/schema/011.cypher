// Gives recorded intents, consequences and lines captions that a person reads.
//
// The caption was the line's number with the player and the type. It becomes the text as one line of
// at most 48 letters, as later recordings write it. The same again changes nothing.
//
// Parameters: none
// Returns: nothing
// Access: schema
// Scans: every intent, consequence and line, once
// Realms: all

CYPHER 25

// captions: a label at a time, since a match of any of them reads every node.
CALL () {
  MATCH (node:Intent)
  WHERE node.anchor_index IS NOT NULL AND node.caption STARTS WITH 'L' + node.anchor_index + ' '
  RETURN node, node.text AS text, node.anchor_index AS line
  UNION ALL
  MATCH (node:Consequence)
  WHERE node.anchor_index IS NOT NULL AND node.caption STARTS WITH 'L' + node.anchor_index + ' '
  RETURN node, node.text AS text, node.anchor_index AS line
  UNION ALL
  MATCH (node:Utterance)
  WHERE node.line_index IS NOT NULL AND node.caption STARTS WITH 'L' + node.line_index + ' '
  RETURN node, node.content AS text, node.line_index AS line
}
CALL (node, text, line) {
  WITH node, line, trim(reduce(words = '',
    word IN [word IN split(text, [' ', '\n', '\r', '\t']) WHERE word <> ''] |
    words + ' ' + word)) AS caption
  SET node.caption = CASE
    WHEN caption = '' THEN 'line ' + line
    WHEN size(caption) <= 48 THEN caption
    ELSE substring(caption, 0, 47) + '…'
  END
} IN TRANSACTIONS OF 5000 ROWS ON ERROR RETRY FOR 30 SECONDS THEN FAIL;

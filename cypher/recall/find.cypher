// Ranks the memories that answer a question, best first.
//
//   fused    = $cosine_scale * cosine + $word_weight * word score / best word score
//            + name * name weight
//   lifted   = fused + neighbour * (best fused next to it - lowest fused)
//                    + session * (best fused in its session - lowest fused)
//                    + speaker, if the question names who said it
//              where a memory without a session is a session by itself
//   path     = (lifted of the seed - base) / (best lifted - base) / sqrt(memories sharing it - 1)
//              where base is lifted of the best memory that is no seed
//   hop      = hop_mention * best path to a mention + hop_subject * best path to a subject
//              + hop_term * best path over a rare word
//   strength = stored strength * exp(-rate * seconds since its anchor, on its own clock)
//   score    = lifted + hop - $settings.strength * (1 - strength)
//              + lift of what a person confirmed for nearly this question
//              - $settings.superseded of what is over - $settings.confidence * doubt
//   doubt    = 1 - 2 * confidence, of what was contradicted more than confirmed
//
// What is not valid yet at $filter.valid_at is left out. What is over by then is history: a memory
// that superseded it is a candidate too, and takes the score that it has but for that loss, and
// $settings.successor more: a question that the old one fits is answered by the new one first.
//
// Where no live candidate has a session nothing is lifted. No seed leads over the name of its own
// speaker, which all have that the speaker said: those stand in its session. Only a memory that is
// not archived lifts others or is a seed. Archived ones that score like a hit are returned apart.
// A memory that only a hop leads to is compared if it can still come among the first. What was
// confirmed for the same question comes first, unless it is over, and for one that is only similar
// second at best, unless it leads anyway.
// A duplicate is not indexed: it comes by its vector, and only if the filter asks for archived
// memories.
//
// One statement and one row, since what passes between two would take longer than all of this to
// work out. vector_distance takes a seventh of the time of vector.similarity.cosine.
//
// Parameters: $realm, $settings, $vector, $rest_vector, $rest_differs, $cosine_scale,
//   $word_weight, $name_weights, $question_names, $word_hit_ids, $word_hit_scores,
//   $best_word_score, $confirmed, $filter, $include_id, $pool, $hop_limit, $k
// Returns: candidates (number of live candidates compared),
//   hits (best memories with score and parts), faded (archived memories that score like a hit)
// Access: read

CYPHER 25
// 1. Candidates by vector, words and name, and what stands next to them:
//    memory, cosine, word_score, lowest_cosine.
CALL () {
  MATCH (memory:Memory)
    SEARCH memory IN (
      VECTOR INDEX knowledge_embedding FOR $vector
      WHERE memory.realm = $realm AND memory.kind = 'text'
      LIMIT $pool
    ) SCORE AS similarity
  RETURN memory, 2 * similarity - 1 AS cosine, 0.0 AS word_score
UNION ALL
  UNWIND range(0, size($word_hit_ids) - 1) AS place
  MATCH (memory:Memory {realm: $realm, id: $word_hit_ids[place]})
    USING INDEX SEEK memory:Memory(realm, id)
  RETURN memory, null AS cosine, $word_hit_scores[place] AS word_score
UNION ALL
  UNWIND keys($confirmed) AS confirmed_id
  MATCH (memory:Memory {realm: $realm, id: confirmed_id})
    USING INDEX SEEK memory:Memory(realm, id)
  RETURN memory, null AS cosine, 0.0 AS word_score
UNION ALL
  UNWIND keys($name_weights) AS key
  WITH key ORDER BY $name_weights[key] DESC, key
  MATCH (name:Name {realm: $realm, key: key})<-[:ABOUT]-(memory:Memory)
    USING INDEX SEEK name:Name(realm, key)
  RETURN memory, null AS cosine, 0.0 AS word_score LIMIT $pool
}
WITH memory, max(cosine) AS cosine, max(word_score) AS word_score
WITH collect({memory: memory, session: memory.session, cosine: cosine, word_score: word_score})
       AS direct,
     min(cosine) AS lowest_cosine
CALL (direct) {
  UNWIND direct AS row
  RETURN row.memory AS memory, row.session AS session, row.cosine AS cosine,
         row.word_score AS word_score
UNION ALL
  UNWIND [row IN direct WHERE row.session IS NOT NULL] AS row
  WITH row.memory AS neighbour
  MATCH (neighbour)-[:NEXT]-(memory:Memory)
  RETURN DISTINCT memory, memory.session AS session, null AS cosine, 0.0 AS word_score
}

// 2. Fused scores of the eligible ones:
//    live and archived rows, lowest_fused, highest_fused, lowest_cosine.
WITH memory,
     max(cosine) AS cosine,
     max(word_score) AS word_score,
     max(session) AS session,
     min(lowest_cosine) AS lowest_cosine
LET facts = memory {.id, .subject, .indexed, .clock, .valid_from, .valid_to, .confidence,
                    end: coalesce(memory.archive_at, memory.archived_at)}
LET current = $filter.archived OR facts.end > $filter[facts.clock]
FILTER CASE WHEN facts.indexed AND current AND facts.valid_from IS NULL THEN true
  ELSE (facts.indexed OR $filter.archived AND memory.state = 'duplicate')
  AND (current OR coalesce(facts.id <> $include_id, true))
  AND (facts.valid_from IS NULL OR facts.valid_from <= $filter.valid_at) END
FILTER CASE WHEN NOT $filter.narrows
  THEN true ELSE ($filter.since IS NULL OR memory.first_seen >= $filter.since)
  AND ($filter.until IS NULL OR memory.first_seen <= $filter.until)
  AND ($filter.ids IS NULL OR memory.id IN $filter.ids)
  AND all(marks IN $filter.one_of WHERE any(mark IN marks WHERE mark IN memory.marks))
  AND none(mark IN $filter.none_of WHERE mark IN memory.marks)
  AND all(span IN $filter.within WHERE any(mark IN memory.marks WHERE span[0] <= mark < span[1]))
  AND $filter.minimum_strength <= memory.strength
    * exp(-memory.rate * coll.max([0, $filter[memory.clock] - memory.anchor]) / 1e6)
    <= $filter.maximum_strength
  AND ($filter.states IS NULL OR any(state IN $filter.states WHERE CASE state
    WHEN 'duplicate' THEN memory.state = 'duplicate'
    WHEN 'superseded' THEN memory.superseded_by IS NOT NULL
    WHEN 'waiting' THEN memory.waiting IS NOT NULL
    ELSE memory.state <> 'duplicate' AND (state = 'active') =
      (coalesce(memory.archive_at, memory.archived_at) > $filter[memory.clock]) END)) END
LET over = coalesce(facts.valid_to <= $filter.valid_at, false),
    words = word_score / CASE WHEN $best_word_score > 0 THEN $best_word_score ELSE 1.0 END,
    name = coalesce($name_weights[facts.subject], 0.0)
LET spoken = CASE WHEN $question_names = [] OR memory.speaker IS NULL THEN 0.0
      WHEN any(name IN split(toLower(memory.speaker), ' ') + toLower(memory.speaker)
               WHERE name IN $question_names) THEN $settings.speaker ELSE 0.0 END
LET exact_cosine = coalesce(
      cosine,
      1 - vector_distance(
        vector(memory.embedding, vector_dimension_count($vector), FLOAT32), $vector, COSINE
      ),
      0.0
    )
WITH lowest_cosine, {
       memory: memory,
       id: facts.id,
       session: session,
       cosine: exact_cosine,
       words: words,
       name: name,
       spoken: spoken,
       archived: NOT current,
       over: over,
       lowered: over OR facts.confidence < 0.5,
       fused: $cosine_scale * exact_cosine + $word_weight * words + $settings.name * name
     } AS row
WITH lowest_cosine,
     collect(CASE WHEN NOT row.archived THEN row END) AS live,
     collect(CASE WHEN row.archived THEN row END) AS archived,
     coalesce(min(CASE WHEN NOT row.archived THEN row.fused END), 0.0) AS lowest_fused,
     coalesce(max(CASE WHEN NOT row.archived THEN row.fused END), 0.0) AS highest_fused
LET with_sessions = any(row IN live WHERE row.session IS NOT NULL)

// 3. The lift by neighbours and by the session:
//    ranked, sessions, best_lifted, base_lifted, least_lifted, closest_archived.
CALL (live, lowest_fused, with_sessions) {
  UNWIND CASE WHEN with_sessions THEN [] ELSE live END AS row
  LET lifted = row.fused + row.spoken
  ORDER BY lifted DESC, row.id
  WITH collect(row {.*, neighbour: 0.0, lifted: lifted}) AS ranked WHERE NOT with_sessions
  RETURN ranked, [] AS sessions
UNION ALL
  CALL (live, with_sessions) {
    UNWIND CASE WHEN with_sessions THEN live ELSE [] END AS row
    RETURN row.memory AS memory, row, null AS fused_beside
  UNION ALL
    UNWIND [row IN live WHERE row.session IS NOT NULL] AS row
    WITH row, row.memory AS neighbour
    MATCH (neighbour)-[:NEXT]-(memory:Memory)
    RETURN memory, null AS row, row.fused AS fused_beside
  }
  WITH memory, lowest_fused, with_sessions,
       collect(row)[0] AS row,
       coalesce(max(fused_beside), lowest_fused) AS fused_beside
  WHERE row IS NOT NULL
  WITH lowest_fused, with_sessions, row.session AS session,
       max(row.fused) AS best,
       collect(row {.*, fused_beside: fused_beside}) AS members
  UNWIND members AS row
  LET in_session = session IS NOT NULL
  LET neighbour =
        CASE WHEN in_session
          THEN $settings.neighbour * (row.fused_beside - lowest_fused) ELSE 0.0 END,
      lead = $settings.session
        * (CASE WHEN in_session THEN best ELSE row.fused END - lowest_fused)
  LET lifted = row.fused + neighbour + lead + row.spoken
  ORDER BY lifted DESC, row.id
  WITH collect(row {.*, neighbour: neighbour, lifted: lifted}) AS ranked,
       collect(DISTINCT CASE WHEN in_session THEN {id: session, best: best} END) AS sessions
       WHERE with_sessions
  RETURN ranked, sessions
}
// Lowered ones may leave their places to as many others.
LET places = $k + size([row IN ranked WHERE row.lowered])
LET best_lifted = ranked[0].lifted,
    base_lifted = ranked[coll.min([$settings.seeds, size(ranked) - 1])].lifted,
    least_lifted =
      CASE WHEN size(ranked) < places THEN -1e9
        ELSE ranked[places - 1].lifted - $settings.strength END
CALL (archived, sessions, lowest_fused, with_sessions) {
  UNWIND archived AS row
  LET best = CASE WHEN row.session IS NOT NULL
        THEN coll.max([session IN sessions WHERE session.id = row.session | session.best])
        WHEN with_sessions THEN coll.max([lowest_fused, row.fused]) END
  LET lifted = row.fused + row.spoken
             + $settings.session * (coalesce(best, lowest_fused) - lowest_fused)
  ORDER BY lifted DESC, row.id LIMIT 6
  RETURN collect(row {.*, neighbour: 0.0, lifted: lifted}) AS closest_archived
}

// 4. One hop from the best over names and rare words, and from what is over to its successor:
//    memory, candidate (null for a newcomer), mention, subject, term, hop, paths, replaced.
CALL (ranked, closest_archived, best_lifted, base_lifted, least_lifted) {
  CALL (ranked, closest_archived, best_lifted, base_lifted) {
    UNWIND ranked + closest_archived AS candidate
    RETURN candidate.memory AS memory, candidate, 0.0 AS mention, 0.0 AS subject, 0.0 AS term,
           null AS path, null AS replaces
  UNION ALL
    MATCH (memory:Memory {realm: $realm, id: $include_id})
      USING INDEX SEEK memory:Memory(realm, id)
    RETURN memory, null AS candidate, 0.0 AS mention, 0.0 AS subject, 0.0 AS term, null AS path,
           null AS replaces
  UNION ALL
    // From what is over to what has superseded it by then.
    UNWIND [row IN ranked WHERE row.over] AS row
    WITH row, row.memory AS former
    MATCH (former)
          ((:Memory)<-[step:SUPERSEDES]-(:Memory) WHERE step.at <= $filter.valid_at)+ (memory)
    WHERE NOT EXISTS {
      (memory)<-[later:SUPERSEDES]-(:Memory) WHERE later.at <= $filter.valid_at
    }
    RETURN memory, null AS candidate, 0.0 AS mention, 0.0 AS subject, 0.0 AS term, null AS path,
           row.id AS replaces
  UNION ALL
    UNWIND ranked[..$settings.seeds] AS seed
    WITH seed, seed.memory AS start, best_lifted, base_lifted
    LET speaker = toLower(coalesce(start.speaker, ''))
    MATCH (start)-[:MENTIONS]->(name:Name)
      WHERE 1 < name.memory_count <= $hop_limit AND name.key <> speaker
    WITH name, collect(seed)[0] AS seed, best_lifted, base_lifted
    LET value = (seed.lifted - base_lifted) / (best_lifted - base_lifted + 1e-9)
              / sqrt(name.memory_count - 1)
    MATCH (name)<-[link:MENTIONS|ABOUT]-(memory:Memory)
    LET mentioned = type(link) = 'MENTIONS'
    RETURN memory, null AS candidate,
           CASE WHEN mentioned THEN value ELSE 0.0 END AS mention,
           CASE WHEN mentioned THEN 0.0 ELSE value END AS subject,
           0.0 AS term,
           {value: value, seed: seed.id, over: name.key, kind: type(link)} AS path,
           null AS replaces
  UNION ALL
    UNWIND ranked[..$settings.seeds] AS seed
    WITH seed, seed.memory AS start, best_lifted, base_lifted
    LET speaker_words = split(toLower(coalesce(start.speaker, '')), ' ')
    MATCH (start)-[:HAS_TERM]->(word:Term)
      WHERE 1 < word.memory_count <= $hop_limit
        AND none(part IN speaker_words WHERE part STARTS WITH word.stem)
    WITH word, collect(seed)[0] AS seed, best_lifted, base_lifted
    LET value = (seed.lifted - base_lifted) / (best_lifted - base_lifted + 1e-9)
              / sqrt(word.memory_count - 1)
    FILTER $settings.hop_term * value >= $settings.hop_floor
    MATCH (word)<-[:HAS_TERM]-(memory:Memory)
    RETURN memory, null AS candidate, 0.0 AS mention, 0.0 AS subject, value AS term,
           {value: value, seed: seed.id, over: word.stem, kind: 'HAS_TERM'} AS path,
           null AS replaces
  }
  WITH memory, least_lifted,
       collect(candidate)[0] AS candidate,
       $settings.hop_mention * max(mention) AS mention,
       $settings.hop_subject * max(subject) AS subject,
       $settings.hop_term * max(term) AS term,
       collect(path) AS paths,
       collect(replaces) AS replaced
  LET hop = mention + subject + term
  FILTER CASE WHEN candidate IS NULL OR candidate.lifted + hop >= least_lifted THEN true
    ELSE candidate.id = $include_id OR replaced <> [] OR $confirmed[candidate.id] IS NOT NULL END
  RETURN memory, candidate, mention, subject, term, hop, paths, replaced
}

// 5. Those that can still come among the first:
//    newcomer, facts, in_session, session_lead, strength.
LET facts = memory {.id, .session, .subject, .indexed, .clock, .anchor, .rate, .strength,
                    .valid_from, .valid_to, .confidence,
                    end: coalesce(memory.archive_at, memory.archived_at)}
LET newcomer = candidate IS NULL,
    in_session = facts.session IS NOT NULL,
    session_best = coll.max([session IN sessions WHERE session.id = facts.session | session.best])
LET session_lead = $settings.session * (coalesce(session_best, lowest_fused) - lowest_fused)
LET most_lead = CASE WHEN in_session THEN session_lead
      WHEN with_sessions THEN $settings.session * coll.max(
        [0.0, $cosine_scale * lowest_cosine + $settings.name - lowest_fused])
      ELSE 0.0 END,
    most_neighbour =
      CASE WHEN in_session THEN $settings.neighbour * (highest_fused - lowest_fused) ELSE 0.0 END
FILTER CASE WHEN NOT newcomer OR facts.id = $include_id OR replaced <> [] THEN true ELSE
  hop + most_lead + $cosine_scale * lowest_cosine + $settings.name + $settings.speaker
    + most_neighbour >= least_lifted END
LET seconds = coll.max([0, $filter[facts.clock] - facts.anchor]) / 1e6
LET strength = facts.strength * exp(-facts.rate * seconds)
FILTER strength IS NOT NULL  // else somebody has forgotten it since it was a candidate
FILTER CASE WHEN facts.id = $include_id OR NOT newcomer THEN true
  ELSE facts.indexed AND ($filter.archived OR facts.end > $filter[facts.clock])
  AND (facts.valid_from IS NULL OR facts.valid_from <= $filter.valid_at) END
FILTER CASE WHEN NOT newcomer OR facts.id = $include_id OR NOT $filter.narrows
  THEN true ELSE ($filter.since IS NULL OR memory.first_seen >= $filter.since)
  AND ($filter.until IS NULL OR memory.first_seen <= $filter.until)
  AND ($filter.ids IS NULL OR memory.id IN $filter.ids)
  AND all(marks IN $filter.one_of WHERE any(mark IN marks WHERE mark IN memory.marks))
  AND none(mark IN $filter.none_of WHERE mark IN memory.marks)
  AND all(span IN $filter.within WHERE any(mark IN memory.marks WHERE span[0] <= mark < span[1]))
  AND $filter.minimum_strength <= memory.strength
    * exp(-memory.rate * coll.max([0, $filter[memory.clock] - memory.anchor]) / 1e6)
    <= $filter.maximum_strength
  AND ($filter.states IS NULL OR any(state IN $filter.states WHERE CASE state
    WHEN 'duplicate' THEN memory.state = 'duplicate'
    WHEN 'superseded' THEN memory.superseded_by IS NOT NULL
    WHEN 'waiting' THEN memory.waiting IS NOT NULL
    ELSE memory.state <> 'duplicate' AND (state = 'active') =
      (coalesce(memory.archive_at, memory.archived_at) > $filter[memory.clock]) END)) END

// 6. The parts of what is left, and their sum:
//    rows with score, strength, paths, parts, memory, and the memories that each one replaced.
LET over = coalesce(facts.valid_to <= $filter.valid_at, false)
LET cosine =
      CASE WHEN newcomer THEN coalesce(
          1 - vector_distance(
            vector(memory.embedding, vector_dimension_count($vector), FLOAT32), $vector, COSINE
          ),
          0.0
        ) ELSE candidate.cosine END,
    name = CASE WHEN newcomer THEN coalesce($name_weights[facts.subject], 0.0)
      ELSE candidate.name END,
    words = coalesce(candidate.words, 0.0),
    fused_beside = CASE WHEN newcomer AND in_session THEN coll.max([
        neighbour_id IN [(memory)-[:NEXT]-(neighbour:Memory) | neighbour.id] |
        coll.max([row IN ranked WHERE row.id = neighbour_id | row.fused])
      ]) END
LET fused = $cosine_scale * cosine + $word_weight * words + $settings.name * name
LET parts = {
      cosine: cosine,
      vector: $cosine_scale * cosine,
      words: $word_weight * words,
      name: $settings.name * name,
      neighbour: CASE WHEN newcomer AND in_session
          THEN $settings.neighbour * (coalesce(fused_beside, lowest_fused) - lowest_fused)
          ELSE coalesce(candidate.neighbour, 0.0) END,
      session: CASE WHEN in_session THEN session_lead
          WHEN with_sessions THEN $settings.session * coll.max([0.0, fused - lowest_fused])
          ELSE 0.0 END,
      speaker: CASE WHEN NOT newcomer THEN candidate.spoken
          WHEN any(name IN split(toLower(memory.speaker), ' ') + toLower(memory.speaker)
                   WHERE name IN $question_names) THEN $settings.speaker ELSE 0.0 END,
      mention: mention,
      subject: subject,
      term: term,
      faded: $settings.strength * (strength - 1.0),
      // A newcomer that is superseded is asked for again as a candidate, and loses it then.
      superseded: CASE WHEN over AND (NOT newcomer OR memory.superseded_by IS NULL)
          THEN -$settings.superseded ELSE 0.0 END,
      doubted: CASE WHEN facts.confidence < 0.5
          THEN $settings.confidence * (2 * facts.confidence - 1) ELSE 0.0 END
    }
LET score = parts.vector + parts.words + parts.name + parts.neighbour + parts.session + hop
          + parts.speaker + parts.faded + parts.superseded + parts.doubted
WITH size(ranked) AS candidates, collect({
       id: facts.id,
       score: score,
       full: score - parts.superseded,
       over: over,
       newcomer: newcomer,
       strength: strength,
       paths: paths,
       lift: coalesce($confirmed[facts.id].lift, 0.0),
       archived: CASE WHEN candidate.archived THEN [facts.clock, facts.end] END,
       parts: parts,
       replaced: replaced,
       memory: memory
     }) AS rows

// 7. A successor has at least the score of what it replaced and some more, and what was confirmed
//    for another question stays behind the best of the others. What was confirmed for the same
//    question keeps its order and is raised until its last one is above the best of the others:
//    best.
LET leading = coll.max([row IN rows WHERE row.lift = 0.0 AND row.archived IS NULL | row.score])
LET leaders = [
      row IN rows WHERE $confirmed[row.id].leads AND NOT row.over AND row.archived IS NULL | row.id
    ]
LET highest = CASE WHEN leaders <> [] THEN coll.max([
      row IN rows WHERE NOT row.id IN leaders AND row.archived IS NULL |
      coll.max([row.score + CASE WHEN $confirmed[row.id].may_lead THEN row.lift ELSE 0.0 END]
        + [each IN rows WHERE each.id IN row.replaced | each.full + $settings.successor])
    ]) END,
    last = coll.min([row IN rows WHERE row.id IN leaders | row.score + row.lift])
LET raise = coalesce(coll.max([0.0, highest - last + 1e-6]), 0.0)
CALL (rows, leading, leaders, raise) {
  UNWIND rows AS row
  LET succession = CASE WHEN row.replaced = [] THEN 0.0 ELSE coll.max(
        [0.0] + [each IN rows WHERE each.id IN row.replaced |
                   each.full + $settings.successor - row.score]
      ) END
  LET most = CASE WHEN leading IS NULL OR $confirmed[row.id].may_lead THEN row.lift
        ELSE coll.max([0.0, leading - row.score - succession - 1e-6]) END
  LET confirmed = coll.min([row.lift, most])
                + CASE WHEN row.id IN leaders THEN raise ELSE 0.0 END
  LET score = row.score + succession + confirmed
  ORDER BY score DESC, row.over, row.id LIMIT $k + 6
  WITH collect({row: row, score: score, succession: succession, confirmed: confirmed}) AS first
  UNWIND first[..$k + size([each IN first WHERE each.row.archived IS NOT NULL])] AS each
  LET row = each.row
  LET memory = row.memory, parts = row.parts
  RETURN collect(row {
    .strength, .paths, .archived, .replaced, .newcomer,
    score: each.score,
    parts: parts {.*, succession: each.succession, confirmed: each.confirmed},
    confirmed_for: $confirmed[row.id].question,
    rest_cosine: CASE WHEN NOT $rest_differs THEN parts.cosine ELSE coalesce(
        1 - vector_distance(
          vector(memory.embedding, vector_dimension_count($vector), FLOAT32), $rest_vector, COSINE
        ),
        0.0
      ) END,
    disputes: COLLECT {
      MATCH (memory)-[dispute:MAY_UPDATE|CONTRADICTS]-(other:Memory {indexed: true})
      WHERE coalesce(dispute.state, 'open') = 'open'
        AND NOT EXISTS { (memory)-[:SUPERSEDES]-+(other) }
      RETURN DISTINCT {id: other.id, newer: CASE type(dispute)
        WHEN 'MAY_UPDATE' THEN startNode(dispute) = other
        ELSE other.first_seen > memory.first_seen END} AS other
    },
    memory: memory {.id, .text, .language, .about, .speaker, .session, .tags, .metadata,
                    at: [memory.first_seen.epochSeconds, memory.first_seen.microsecond],
                    from: [memory.valid_from.epochSeconds, memory.valid_from.microsecond],
                    to: [memory.valid_to.epochSeconds, memory.valid_to.microsecond],
                    superseded_by: CASE WHEN row.over THEN memory.superseded_by END,
                    confidence: coalesce(memory.confidence, 0.5),
                    contradicted: coalesce(memory.contradicted, 0.0)}
  }) AS best
}
RETURN candidates,
       [row IN best WHERE row.archived IS NULL AND row.memory.text IS NOT NULL][..$k] AS hits,
       [row IN best[..$k]
        WHERE row.archived IS NOT NULL AND row.memory.text IS NOT NULL][..3] AS faded

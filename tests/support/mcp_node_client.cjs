// Runs the published Node client on a server: node mcp_node_client.cjs PACKAGES TASK
// The task is JSON: a `url` with `headers`, or a `command` with `args` and `env`; and `calls`.
const { createRequire } = require("node:module");
const load = createRequire(`${process.argv[2]}/`);
const { Client } = load("@modelcontextprotocol/sdk/client/index.js");
const { StdioClientTransport } = load("@modelcontextprotocol/sdk/client/stdio.js");
const { StreamableHTTPClientTransport } = load("@modelcontextprotocol/sdk/client/streamableHttp.js");

async function main(task) {
  const client = new Client({ name: "tests", version: "1" });
  const transport = task.url
    ? new StreamableHTTPClientTransport(new URL(task.url), { requestInit: { headers: task.headers } })
    : new StdioClientTransport({ command: task.command, args: task.args, env: task.env });
  await client.connect(transport);
  const tools = (await client.listTools()).tools;
  const answers = [];
  for (const [name, args] of task.calls) {
    answers.push(await client.callTool({ name, arguments: args }));
  }
  const { resources } = await client.listResources();
  const { resourceTemplates } = await client.listResourceTemplates();
  const contents = [];
  for (const uri of [...resources.map((each) => each.uri), ...task.uris]) {
    contents.push((await client.readResource({ uri })).contents[0].text);
  }
  const prompts = (await client.listPrompts()).prompts;
  const lessons = [];
  for (const { name } of prompts) lessons.push((await client.getPrompt({ name })).messages.length);
  await client.close();
  return { tools, answers, contents, lessons, templates: resourceTemplates.length };
}

main(JSON.parse(process.argv[3])).then(
  (result) => process.stdout.write(JSON.stringify(result), () => process.exit(0)),
  (error) => { console.error(error); process.exit(1); },
);

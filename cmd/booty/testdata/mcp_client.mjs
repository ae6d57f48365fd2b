// What the official client for JavaScript makes of booty mcp: node mcp_client.mjs SDK BOOTY REPOSITORY
import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";

const [sdk, booty, repo] = process.argv.slice(2);
const load = (file) => import(pathToFileURL(path.join(sdk, "dist", "esm", "client", file)));
const { Client } = await load("index.js");
const { StdioClientTransport } = await load("stdio.js");

const transport = new StdioClientTransport({
  command: booty, args: ["mcp"], cwd: repo, env: process.env, stderr: "pipe",
});
const client = new Client({ name: "test", version: "1" });
const astray = []; // what the client could not place: other text on stdout, answers that nobody waits for
// The client drops what a call has asked to hear of as soon as it has the answer.
client.onerror = (e) => /progress notification for an unknown token/.test(e) || astray.push(String(e));
await client.connect(transport);

assert.equal(client.getServerVersion().name, "booty");
assert.match(client.getInstructions(), /check/);
const { tools } = await client.listTools();
assert.deepEqual(tools.map((t) => t.name).sort(), ["check", "distill", "prove", "refine", "run_status"]);

const text = (r) => r.content.map((c) => c.text).join("\n");
const log = "FAILED test_sum.py::test_sum - assert 1 == 2\n=== 1 failed in 0.1s ===\n";
let r = await client.callTool({ name: "distill", arguments: { text: log } });
assert.ok(!r.isError);
assert.match(text(r), /test_sum/);
r = await client.callTool({ name: "distill", arguments: { text: log, json: true } });
assert.equal(r.structuredContent.failed, 1);

// progress comes while the checks run: the second one waits until the first one's end was heard
// (the client drops what comes in one piece with the answer)
const heard = [];
const onprogress = (p) => {
  heard.push(p);
  if (/✗ first/.test(p.message)) fs.writeFileSync(path.join(process.env.OUT, "heard"), "");
};
r = await client.callTool({ name: "check" }, undefined, { onprogress });
assert.match(text(r), /✗ first[^]*1\) hello[^]*exit code 3/);
assert.ok(heard.some((p) => /✗ first/.test(p.message)), JSON.stringify(heard));
assert.ok(heard.every((p, i) => i === 0 || p.progress > heard[i - 1].progress));

r = await client.callTool({ name: "check", arguments: { staged: "yes" } });
assert.ok(r.isError);
await assert.rejects(client.callTool({ name: "shell", arguments: {} }), /unknown tool/);

// a cancelled call ends what it started, and the session goes on
fs.writeFileSync(path.join(repo, "slow"), "");
const stop = new AbortController();
const slow = client.callTool({ name: "check" }, undefined, { signal: stop.signal });
while (!fs.existsSync(path.join(process.env.OUT, "pid"))) await new Promise((done) => setTimeout(done, 20));
stop.abort();
await assert.rejects(slow);
const pid = Number(fs.readFileSync(path.join(process.env.OUT, "pid"), "utf8"));
const alive = () => { try { process.kill(pid, 0); return true; } catch { return false; } };
while (alive()) await new Promise((done) => setTimeout(done, 20));
fs.rmSync(path.join(repo, "slow"));
r = await client.callTool({ name: "run_status" });
assert.match(text(r), /No runs yet/);

await client.close();
assert.deepEqual(astray, []);
console.log("all well");

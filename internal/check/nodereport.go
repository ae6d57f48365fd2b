package check

import (
	"os"
	"slices"

	"github.com/booty-cli/booty/internal/testreport"
)

// nodeReporter writes what node's runner reports of each test, once all have ended: node's own
// reporters do not say in which file a test is.
const nodeReporter = `import { existsSync } from 'node:fs';
export default async function* (source) {
  const rows = [], open = [];
  for await (const { type, data } of source) {
    if (type === 'test:start') {
      open.length = data.nesting;
      open.push({ name: data.name });
      if (data.nesting > 0 && open[data.nesting - 1]) open[data.nesting - 1].holds = true;
    }
    if (type !== 'test:pass' && type !== 'test:fail') continue;
    const at = open[data.nesting] ?? {}, why = data.details?.error;
    const suite = at.holds || data.details?.type === 'suite';
    if (suite && why?.failureType !== 'hookFailed') continue;
    const load = data.nesting === 0 && /\.[cm]?[jt]sx?$/.test(data.name) && existsSync(data.name);
    rows.push({
      name: data.name, file: load ? data.name : data.file, line: load ? 0 : data.line,
      within: open.slice(0, data.nesting).map((t) => t.name).join(' > '),
      outcome: data.skip !== undefined || data.todo !== undefined ? 'skipped' : type === 'test:pass' ? 'passed' : 'failed',
      kind: load ? 'load' : why?.failureType === 'hookFailed' ? 'hook' : '',
      message: type === 'test:fail' ? String(why?.cause?.message ?? why?.message ?? '') : '', ms: data.details?.duration_ms ?? 0,
    });
  }
  yield JSON.stringify({ tests: rows });
}
`

// askNode has that reporter write beside the one that people read.
func askNode(_ *Runner, list []string, n int, path string) ([]string, asking) {
	program := path + ".mjs"
	if os.WriteFile(program, []byte(nodeReporter), 0o600) != nil {
		return nil, asking{}
	}
	read := fromFile(path, testreport.Node)
	words := []string{"--test-reporter=spec", "--test-reporter-destination=stdout",
		"--test-reporter=" + program, "--test-reporter-destination=" + path}
	return slices.Concat(list[:n], words, list[n:]), asking{read: func(res Result) (report, error) {
		defer os.Remove(program)
		return read(res)
	}}
}

package check

import "testing"

func TestReason(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ output, want string }{
		"npm": {"npm error code EUSAGE\nnpm error\nnpm error `npm ci` can only install packages in sync.\nnpm error Missing: plum@1.0.0 from lock file\nnpm error A complete log of this run can be found in: /x\n",
			"npm error `npm ci` can only install packages in sync."},
		"old npm": {"npm ERR! code E404\nnpm ERR! 404 Not Found - GET https://r.example/plum\n", "npm ERR! 404 Not Found - GET https://r.example/plum"},
		"npm's script": {"npm error code 1\nnpm error path /p/node_modules/plum\nnpm error command failed\nnpm error command sh -c node install.mjs\nnpm error ERROR: Failed to set up Plum v1! Set PLUM_SKIP to skip.\n",
			"npm error ERROR: Failed to set up Plum v1! Set PLUM_SKIP to skip."},
		"advice follows": {"\nOops! Something went wrong! :(\n\nESLint: 9.39.1\n\nESLint couldn't find an eslint.config.(js|mjs|cjs) file.\n\nFrom ESLint v9.0.0, the default configuration file is now eslint.config.js.\n\nIf you still have problems after following the migration guide, please stop by\n",
			"ESLint couldn't find an eslint.config.(js|mjs|cjs) file."},
		"yarn": {"yarn install v1.22.22\n[2/4] Fetching packages...\nerror Error: https://r.example/plum.tgz: Request failed \"404 Not Found\"\n    at Request.emit (node:events:514:28)\ninfo Visit https://yarnpkg.com/en for documentation about this command.\n",
			"error Error: https://r.example/plum.tgz: Request failed \"404 Not Found\""},
		"pnpm": {"Progress: resolved 1, reused 0, downloaded 0, added 0\nPackages: +2\n++\n\u2009ERR_PNPM_FETCH_404\u2009 GET https://r.example/plum.tgz: Not Found - 404\n\nNo authorization header was set for the request.\nProgress: resolved 2, reused 0, downloaded 1, added 1\n",
			"ERR_PNPM_FETCH_404 GET https://r.example/plum.tgz: Not Found - 404"},
		"progress comes last":  {"no plum in the store\nProgress: resolved 2, downloaded 1\n[2/4] Fetching packages...\n  50%\n##### 12.4 MB/s\nDownloading pear (3 MB)\n", "no plum in the store"},
		"progress that failed": {"resolving plum\nfetching plum failed: 503\n", "fetching plum failed: 503"},
		"nothing but progress": {"Progress: resolved 1\n+++++\nresolving plum...\n", ""},
		"pip": {"error: externally-managed-environment\n\n× This environment is externally managed\n╰─> To install Python packages system-wide, try apt\n\nhint: See PEP 668 for the detailed specification.\n",
			"error: externally-managed-environment"},
		"make":      {"cc -o x x.c\ncheck of the licenses: 3 are missing\nmake: *** [Makefile:2: check] Error 1\n", "check of the licenses: 3 are missing"},
		"make says": {"make: *** No rule to make target 'deps'.  Stop.\n", "make: *** No rule to make target 'deps'. Stop."},
		"python":    {"Traceback (most recent call last):\n  File \"setup.py\", line 2, in <module>\n    f()\nValueError: no version in plum.cfg\n", "ValueError: no version in plum.cfg"},
		"git":       {"Cloning into 'x'...\nfatal: unable to access 'https://x/': Could not resolve host: x\n", "fatal: unable to access 'https://x/': Could not resolve host: x"},
		"bundler":   {"Fetching gem metadata\n\x1b[31mCould not find plum-1.0 in any of the sources\x1b[0m\n", "Could not find plum-1.0 in any of the sources"},
		"no words":  {"ERROR: 127\n", ""},
		"nothing":   {"", ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := Reason(c.output); got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

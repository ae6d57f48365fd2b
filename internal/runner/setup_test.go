package runner

import "testing"

func TestASetupThatRefusesToWriteALockFileIsLetWriteIt(t *testing.T) {
	t.Parallel()
	for command, want := range map[string]string{
		"npm ci":                              "npm install",
		"npm ci --no-audit && npm run build":  "npm install --no-audit && npm run build",
		"yarn install --frozen-lockfile":      "env YARN_ENABLE_IMMUTABLE_INSTALLS=false yarn install",
		"corepack enable && yarn --immutable": "corepack enable && env YARN_ENABLE_IMMUTABLE_INSTALLS=false yarn",
		"pnpm install --frozen-lockfile":      "pnpm install --no-frozen-lockfile",
		"pnpm i":                              "pnpm install --no-frozen-lockfile",
		"uv sync --locked":                    "uv sync",
		"bundle install":                      "env BUNDLE_FROZEN=false BUNDLE_DEPLOYMENT=false bundle install",
		"poetry install":                      "poetry lock && poetry install",
		"pip install -r requirements.txt":     "pip install -r requirements.txt",
		"go mod download":                     "go mod download",
	} {
		if got := unlocked(command); got != want {
			t.Errorf("%s: got %q, want %q", command, got, want)
		}
	}
}

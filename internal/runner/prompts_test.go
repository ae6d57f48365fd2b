package runner

import "testing"

func TestSecretFilesAreNeverShown(t *testing.T) {
	for _, p := range []string{".env", "a/.env.local", "id_rsa", "x/Server.KEY", "cert.pem", ".npmrc", "conf/secrets.yaml", ".netrc", "k.p12",
		".envrc", "infra/terraform.tfstate", "terraform.tfstate.backup", "prod.auto.tfvars", "kubeconfig", "dev.kubeconfig",
		"service-account.json", "service-account-prod.json"} {
		if !secretFile(p) {
			t.Errorf("%s would be shown", p)
		}
	}
	for _, p := range []string{".env.example", "env.go", "keys.go", "secretary.py", "monkey.js", "docs/environment.md", "secrets.example",
		"package.json", "main.tf", "variables.tf"} {
		if secretFile(p) {
			t.Errorf("%s would be kept away", p)
		}
	}
}

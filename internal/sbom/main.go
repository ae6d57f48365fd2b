// Command sbom writes the bill of materials of a Go program, read from the program
// itself: every module that was linked, and Go's own version, as CycloneDX 1.6.
//
//	go run ./internal/sbom [-date RFC3339] PROGRAM FILE
//
// It is for releases, which need no further tool so. The linker writes what it
// linked into each program: nothing is guessed from go.mod.
package main

import (
	"crypto/sha256"
	"debug/buildinfo"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"runtime/debug"
	"strings"
)

func main() {
	date := flag.String("date", "", "when the release was made")
	version := flag.String("version", "", "the release's version")
	flag.Parse()
	if flag.NArg() != 2 {
		fmt.Fprintln(os.Stderr, "usage: sbom [-version V] [-date RFC3339] PROGRAM FILE")
		os.Exit(2)
	}
	if err := write(flag.Arg(0), flag.Arg(1), *version, *date); err != nil {
		fmt.Fprintln(os.Stderr, "sbom:", err)
		os.Exit(1)
	}
}

type bill struct {
	Format     string      `json:"bomFormat"`
	Spec       string      `json:"specVersion"`
	Version    int         `json:"version"`
	Metadata   metadata    `json:"metadata"`
	Components []component `json:"components"`
	// Dependencies says that the program holds all of them; which needs which is not known.
	Dependencies []dependency `json:"dependencies"`
}

type metadata struct {
	Timestamp string    `json:"timestamp,omitempty"`
	Component component `json:"component"`
}

type component struct {
	Ref        string     `json:"bom-ref"`
	Type       string     `json:"type"`
	Name       string     `json:"name"`
	Version    string     `json:"version,omitempty"`
	PURL       string     `json:"purl"`
	Hashes     []hash     `json:"hashes,omitempty"`
	Properties []property `json:"properties,omitempty"`
}

type hash struct {
	Alg     string `json:"alg"`
	Content string `json:"content"`
}

type property struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

type dependency struct {
	Ref       string   `json:"ref"`
	DependsOn []string `json:"dependsOn"`
}

// write writes the bill of a program.
func write(program, file, version, date string) error {
	info, err := buildinfo.ReadFile(program)
	if err != nil {
		return err
	}
	sum, err := sumOf(program)
	if err != nil {
		return err
	}
	b := billOf(info, version)
	b.Metadata.Timestamp = date
	b.Metadata.Component.Hashes = []hash{{Alg: "SHA-256", Content: sum}}
	text, err := json.MarshalIndent(b, "", "  ")
	if err != nil {
		return err
	}
	return os.WriteFile(file, append(text, '\n'), 0o644)
}

// billOf lists what a program was built from.
func billOf(info *debug.BuildInfo, version string) bill {
	if version == "" {
		version = info.Main.Version
	}
	whole := library(info.Main.Path, version)
	whole.Type = "application"
	for _, s := range info.Settings {
		switch s.Key {
		case "GOOS", "GOARCH", "vcs.revision":
			whole.Properties = append(whole.Properties, property{"go:" + s.Key, s.Value})
		}
	}
	b := bill{
		Format: "CycloneDX", Spec: "1.6", Version: 1, Metadata: metadata{Component: whole},
		Components: []component{library("stdlib", strings.TrimPrefix(info.GoVersion, "go"))},
	}
	for _, m := range info.Deps {
		if m.Replace != nil {
			m = m.Replace
		}
		b.Components = append(b.Components, library(m.Path, m.Version))
	}
	all := dependency{Ref: whole.Ref}
	for _, c := range b.Components {
		all.DependsOn = append(all.DependsOn, c.Ref)
	}
	b.Dependencies = []dependency{all}
	return b
}

// library is a Go module. In the addresses of packages + is written as %2B.
func library(path, version string) component {
	purl := "pkg:golang/" + path + "@" + strings.ReplaceAll(version, "+", "%2B")
	return component{Ref: purl, Type: "library", Name: path, Version: version, PURL: purl}
}

func sumOf(file string) (string, error) {
	f, err := os.Open(file)
	if err != nil {
		return "", err
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return "", err
	}
	return fmt.Sprintf("%x", h.Sum(nil)), nil
}

package report

import (
	"fmt"
	"io"
	"strings"

	"github.com/booty-cli/booty/internal/event"
)

// DryRun is what a run would do first, and what it may cost.
type DryRun struct {
	Request event.ModelRequest
	View    event.ContextSelected
	// Verbose names all files, and the likeliest of those that are not shown.
	Verbose bool
	// Looking says that the model may ask to see more.
	Looking bool
	// Attempts and Calls are the most that the run may make; RunUSD is its
	// limit, 0 where it has none.
	Attempts, Calls int
	RunUSD          float64
}

// maxDryRunFiles bounds the files that are told one by one.
const maxDryRunFiles = 30

// Write tells model, files with what speaks for each, size and price.
func (d DryRun) Write(w io.Writer) error {
	var b strings.Builder
	fmt.Fprintf(&b, "model    %s %s\n", d.Request.Provider, d.Request.Model)
	fmt.Fprintf(&b, "request  %s tokens, role %s\n", tokens(d.Request.InputTokens), d.Request.Role)
	files := d.View.Files
	if !d.Verbose {
		files = files[:min(len(files), maxDryRunFiles)]
	}
	writeFiles(&b, files)
	if more := len(d.View.Files) - len(files); more > 0 {
		fmt.Fprintf(&b, "  and %d more\n", more)
	}
	if d.Verbose {
		writeLeftOut(&b, d.View.LeftOut)
	}
	if d.Looking {
		b.WriteString("more     the model may ask to see other files, three times an attempt\n")
	}
	if usd := d.Request.CostUSD; usd != nil && d.Calls <= 1 {
		fmt.Fprintf(&b, "price    at most %s\n", money(*usd, false))
	} else if usd != nil {
		worst := *usd * float64(d.Calls)
		bound := fmt.Sprintf("%d attempts, with retries", d.Attempts)
		if d.RunUSD > 0 && worst > d.RunUSD {
			worst, bound = d.RunUSD, "the limit of a run"
		}
		fmt.Fprintf(&b, "price    at most %s for this call, %s for the run (%s)\n", money(*usd, false),
			money(worst, false), bound)
	}
	_, err := io.WriteString(w, clean(b.String()))
	return err
}

func fileName(f event.ContextFile) string {
	if f.Part == "tree" {
		return "the list of files"
	}
	return f.Path
}

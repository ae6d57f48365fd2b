package distill

import "slices"

// analyse turns what was kept of an output into a report.
func analyse(k *kept, o Options) *Report {
	docs := normalise(k)
	root := newTree(o.Dir)
	defer root.close()
	res := recognise(docs, root, k.tally, o.ExitCode)
	res.merge()
	if o.ExitCode != nil && *o.ExitCode == 0 {
		res.failures = nil // so that the counts do not seem to contradict them
	}
	rep := &Report{
		Runner:     res.runner(),
		Failures:   res.failures,
		Files:      []string{},
		NoTests:    res.noTests && len(res.failures) == 0,
		Recognised: res.recognised(),
		Lines:      k.total,
		Bytes:      k.bytes,
	}
	rep.Passed, rep.Failed, rep.Skipped = res.counts()
	if o.ExitCode != nil && *o.ExitCode == 0 {
		if rep.Failed != nil {
			rep.Failed = new(int)
		}
	}
	if o.ExitCode != nil && *o.ExitCode != 0 && rep.Failed != nil && *rep.Failed == 0 {
		rep.Failed = nil // what failed was not a test
	}
	if rep.Failures == nil {
		rep.Failures = []Failure{}
	}
	rep.Signature = signature(rep, docs)
	shown := *rep
	if o.Omit != nil {
		shown.Failures = slices.DeleteFunc(slices.Clone(rep.Failures), o.Omit)
	}
	rep.Files = append(rep.Files, suspects(shown.Failures, root)...)
	rep.Text = render(&shown, docs, root, o)
	return rep
}

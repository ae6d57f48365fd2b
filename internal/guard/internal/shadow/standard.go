package shadow

import (
	"path"
	"slices"
	"strings"

	"github.com/booty-cli/booty/internal/guard/internal/checkout"
	"github.com/booty-cli/booty/internal/lexer"
)

// A file at the import root with the name of a standard library module is found instead of
// the module.

var standardNames = map[string]struct {
	roots []string
	names []string
}{
	"python": {[]string{"", "src", "lib", "app", "test", "tests"}, strings.Fields(`abc argparse array ast
	asyncio atexit base64 bdb binascii bisect builtins bz2 calendar cmath cmd code codecs collections
		concurrent configparser contextlib contextvars copy copyreg csv ctypes dataclasses datetime
		decimal difflib dis email enum errno faulthandler filecmp fileinput fnmatch fractions functools gc
		genericpath
		getopt getpass gettext glob graphlib gzip hashlib heapq hmac html http imaplib importlib inspect
		io ipaddress itertools json keyword linecache locale logging lzma mailbox marshal math mimetypes
		mmap
		multiprocessing ntpath numbers opcode operator os pathlib pdb pickle pickletools pkgutil platform
		plistlib posixpath pprint profile pstats queue quopri random re reprlib resource runpy sched
		secrets
		select selectors shelve shlex shutil signal smtplib socket socketserver sqlite3 sre_compile
		sre_parse ssl stat statistics string stringprep struct subprocess symtable sys sysconfig tarfile
		tempfile
		textwrap threading time timeit token tokenize tomllib trace traceback tracemalloc types typing
		unicodedata urllib uuid venv warnings weakref webbrowser xml xmlrpc zipfile zlib zoneinfo`)},
	"ruby": {[]string{"lib", "test", "spec"}, strings.Fields(`abbrev base64 benchmark bigdecimal bundler
	cgi coverage csv date delegate did_you_mean digest drb english erb error_highlight etc expect fiddle
	fileutils find
		forwardable getoptlong io ipaddr irb json logger matrix minitest monitor mutex_m net objspace
		observer open3 open-uri openssl optparse ostruct pathname pp prettyprint prime pstore psych pty
		racc rake
		random rdoc readline reline resolv ripper rspec securerandom set shellwords simplecov singleton
		socket stringio strscan syslog tempfile test-unit time timecop timeout tmpdir tsort un uri weakref
		webmock yaml zlib`)},
	"perl": {[]string{"lib", "t/lib"}, strings.Fields(`Test strict warnings Carp Data Exporter File List
	POSIX Scalar Storable Time Encode JSON utf8 base parent constant vars overload TAP`)},
}

// hidesStandard reports whether a new file takes the name of a standard library module.
func hidesStandard(c *checkout.Files, s checkout.FileChange, lang *lexer.Language) bool {
	std, is := standardNames[lang.Name]
	if !is || s.Existed {
		return false
	}
	for _, root := range std.roots {
		rest, below := strings.CutPrefix(s.Path, root+"/")
		if root == "" {
			rest, below = s.Path, true
		}
		first, more, deep := strings.Cut(rest, "/")
		name := strings.TrimSuffix(first, path.Ext(first))
		if !below || !slices.Contains(std.names, name) || lang.Name == "ruby" && deep {
			continue
		}
		if deep {
			if kind, err := c.Kind(path.Join(root, first)); err == nil && kind == checkout.Dir ||
				lang.Name == "python" && more != "__init__.py" {
				continue // an existing package belongs to the product
			}
		}
		return true
	}
	return false
}

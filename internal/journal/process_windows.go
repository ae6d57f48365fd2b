package journal

import (
	"strconv"

	"golang.org/x/sys/windows"
)

// startOf tells when a process began; empty where the system does not say.
func startOf(pid int) string {
	h, err := windows.OpenProcess(windows.PROCESS_QUERY_LIMITED_INFORMATION, false, uint32(pid))
	if err != nil {
		return ""
	}
	defer func() { _ = windows.CloseHandle(h) }()
	var created, exited, kernel, user windows.Filetime
	if err := windows.GetProcessTimes(h, &created, &exited, &kernel, &user); err != nil {
		return ""
	}
	return strconv.FormatInt(created.Nanoseconds(), 10)
}

// exists reports whether a process of that number still runs.
func exists(pid int) bool {
	h, err := windows.OpenProcess(windows.PROCESS_QUERY_LIMITED_INFORMATION, false, uint32(pid))
	if err != nil {
		return err == windows.ERROR_ACCESS_DENIED //nolint:errorlint // a bare number
	}
	defer func() { _ = windows.CloseHandle(h) }()
	const stillActive = 259
	var exit uint32
	return windows.GetExitCodeProcess(h, &exit) == nil && exit == stillActive
}

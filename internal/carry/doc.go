// Package carry brings what git ignores in one tree (dependencies, virtual environments,
// .env, build outputs) into another one that its tests are to run in.
//
// What comes in: two directories, the paths to bring, and what was brought the last time.
// What goes out: copies, and the overlays that commands are to be shown. It never writes to
// the source, and knows nothing of git.
//
// Small things are copied. Large directories are overlays where the system has them:
// commands see and change them as if they were copied, and what they write lies beside the
// tree. What has not changed in the source since the last time stays as builds left it.
// An overlay shows its whole directory: nothing in it can be left out.
package carry

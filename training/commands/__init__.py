"""The commands of `powergrid`, one file each. A command imports what it needs inside, so that --help is quick."""

# high water, in minutes after midnight
next_high() { echo $(( ($1 + 755) % 1440 )); }
height() { echo $(( $1 * 3 / 2 )); }
season() { case $1 in 3|4|5) echo spring ;; 6|7|8) echo summer ;; *) echo winter ;; esac; }

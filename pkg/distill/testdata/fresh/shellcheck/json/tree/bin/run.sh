#!/bin/sh
for f in $(ls *.txt); do
  cat $f
done

#!/bin/sh
for f in `ls`; do
  rm $f
done

#!/bin/sh
set -e
echo "[start] cold kiln"
true
echo "[done]  cold kiln"
echo "[start] hot kiln"
bash tools/kiln 5
echo "[done]  hot kiln"

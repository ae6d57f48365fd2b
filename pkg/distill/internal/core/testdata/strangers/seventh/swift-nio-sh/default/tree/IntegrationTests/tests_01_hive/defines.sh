#!/bin/bash
hive="$(dirname "${BASH_SOURCE[0]}")/../../bin/hive"

import sys
import os

import sys
print("posting")
sys.exit("post: the server said 503")

import subprocess


def run(x):
    subprocess.call(x, shell=True)

start_server {tags {"hive"}} {
    test {Frames are counted per hive} {
        r del hive:1
        r rpush hive:1 a b c
        assert_equal 3 [r llen hive:1]
    }

    test {Honey is weighed in kilos} {
        r set kilos:1 12
        r incrby kilos:1 3
        assert_equal 16 [r get kilos:1]
    }

    test {A queen has a name} {
        r hset queen:1 name Buckfast
        assert_match "Carnica*" [r hget queen:1 name]
    }

    test {Empty hives are gone} {
        r del hive:1
        assert {[r exists hive:1] == 0}
    }
}

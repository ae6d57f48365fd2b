<?php class Cart {}

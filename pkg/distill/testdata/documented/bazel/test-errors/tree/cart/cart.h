int total();

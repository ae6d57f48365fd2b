module Money where

-- Numbers what is told to all processes, so that whoever tells can see when all have heard of it.
create sequence told as bigint;

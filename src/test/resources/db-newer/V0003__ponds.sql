create table pond (id text primary key);

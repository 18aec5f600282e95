create table pond (id text primary key);
insert into absent values (1);

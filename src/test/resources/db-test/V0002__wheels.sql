create table wheel (id text primary key, mill_id text not null references mill (id));

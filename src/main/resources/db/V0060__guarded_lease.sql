-- A node holds an advisory lock for as long as its process and its connection live: who finds it free need not wait for
-- the lease to run out.
alter table node add column guarded boolean not null default false;

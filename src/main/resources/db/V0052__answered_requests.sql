-- Ids of resume addresses of the old kind by which the run has been resumed: each is good for one time.
alter table run add column answered_requests text[];

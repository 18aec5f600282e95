-- Whether a suspect has survived its trial at the node: the trials of later nodes are longer only after the end of such a node.
alter table node add column has_acquitted boolean not null default false;

-- Translations with a character that PostgreSQL cannot return made every list of pieces in their language fail. New ones are
-- stored without such texts.
do $$
declare
    piece record;
begin
    for piece in select id, translations from installed_piece loop
        begin
            perform translation.value from json_each(piece.translations::json) as language,
                json_each_text(language.value) as translation;
        exception when data_exception then
            update installed_piece set translations = '{}' where id = piece.id;
        end;
    end loop;
end
$$;

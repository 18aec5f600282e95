import { SelectField, TextField } from '../../../base/components/Field';
import { t } from '../../../base/text';
import { PAGE_KINDS, type Pages } from './document';

export function PagesFields({
  pages,
  fields,
  onPages,
}: {
  pages: Pages;
  fields: Record<string, string>;
  onPages: (pages: Pages) => void;
}) {
  const put = (part: Partial<Pages>): void => onPages({ ...pages, ...part });
  const { kind } = pages;
  return (
    <>
      <SelectField
        label={t('openapi.pagination')}
        value={kind}
        onValue={(value) => put({ kind: PAGE_KINDS.find((each) => each === value) ?? 'NONE' })}
        problem={fields['pagination.kind']}
        options={PAGE_KINDS.map((each) => ({ value: each, label: t(`openapi.pagination.${each}`) }))}
      />
      {kind === 'NONE' ? null : (
        <div class="pair">
          {kind === 'LINK' ? null : (
            <TextField
              label={t('openapi.parameter')}
              value={pages.parameter}
              onValue={(parameter) => put({ parameter })}
              problem={fields['pagination.parameter']}
              control={{ name: 'parameter', spellcheck: false }}
            />
          )}
          {kind === 'CURSOR' ? (
            <TextField
              label={t('openapi.cursorPath')}
              help={t('openapi.pointerHelp')}
              value={pages.cursorPath}
              onValue={(cursorPath) => put({ cursorPath })}
              problem={fields['pagination.cursorPath']}
              control={{ name: 'cursorPath', spellcheck: false }}
            />
          ) : null}
          {kind === 'PAGE' || kind === 'OFFSET' ? (
            <TextField
              label={t('openapi.first')}
              optional
              value={pages.first}
              onValue={(first) => put({ first })}
              problem={fields['pagination.first']}
              control={{ name: 'first', inputMode: 'numeric' }}
            />
          ) : null}
          <TextField
            label={t('openapi.itemsPath')}
            optional
            help={t('openapi.pointerHelp')}
            value={pages.itemsPath}
            onValue={(itemsPath) => put({ itemsPath })}
            problem={fields['pagination.itemsPath']}
            control={{ name: 'itemsPath', spellcheck: false }}
          />
        </div>
      )}
    </>
  );
}

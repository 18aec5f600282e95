import { Field as FieldFrame, SelectField } from '../../base/components/Field';
import { Notice } from '../../base/components/States';
import { count, t } from '../../base/text';
import { ENCODINGS, type Encoding } from '../data/encoding';
import { SEPARATORS } from '../data/separated';
import type { ChosenFile } from './useTableFile';

const PREVIEW_ROWS = 5;
const ACCEPTED = '.csv,.tsv,.txt,.json,.ndjson,.xlsx,text/csv,application/json';

export function FilePreview({ chosen, onFile }: { chosen: ChosenFile; onFile?: (file: File | undefined) => void }) {
  const { read, isBad, open, choose } = chosen;
  return (
    <>
      <FieldFrame
        label={t('tables.file')}
        help={t('tables.file.help')}
        problem={isBad ? t('tables.file.bad') : undefined}>
        {(wiring) => (
          <input
            {...wiring}
            class="input"
            type="file"
            accept={ACCEPTED}
            onChange={(event) => {
              const file = event.currentTarget.files?.[0];
              onFile?.(file);
              void open(file);
            }}
          />
        )}
      </FieldFrame>
      {read ? (
        <div class="file-preview">
          <div class="row">
            {read.encoding ? (
              <SelectField
                label={t('tables.file.encoding')}
                value={read.encoding}
                onValue={(value) => choose({ encoding: value as Encoding })}
                options={ENCODINGS.map((value) => ({ value, label: value }))}
              />
            ) : null}
            {read.separator !== undefined ? (
              <SelectField
                label={t('tables.file.separator')}
                value={read.separator}
                onValue={(separator) => choose({ separator })}
                options={separatorsWith(read.separator)}
              />
            ) : null}
            {read.sheets.length > 1 ? (
              <SelectField
                label={t('tables.file.sheet')}
                value={read.sheet!}
                onValue={(sheet) => choose({ sheet })}
                options={read.sheets.map((value) => ({ value, label: value }))}
              />
            ) : null}
          </div>
          <div class="scrolls">
            <table class="import-preview">
              <thead>
                <tr>
                  {read.header.map((name) => (
                    <th scope="col" key={name}>
                      {name}
                    </th>
                  ))}
                </tr>
              </thead>
              <tbody>
                {read.rows.slice(0, PREVIEW_ROWS).map((row, at) => (
                  <tr key={at}>
                    {read.header.map((name, column) => (
                      <td key={name}>{row[column] ?? ''}</td>
                    ))}
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
          {read.ragged > 0 ? <Notice tone="amber">{count('tables.file.ragged', read.ragged)}</Notice> : null}
        </div>
      ) : null}
    </>
  );
}

const LABELS: Record<string, string> = { ',': ',', ';': ';', '\t': t('tables.file.tab'), '|': '|' };

/** A line `sep=` may name a separator outside the list. */
const separatorsWith = (given: string): Array<{ value: string; label: string }> =>
  [...new Set<string>([...SEPARATORS, given])].map((value) => ({ value, label: LABELS[value] ?? value }));

import { useRef, useState } from 'preact/hooks';
import { Button } from '../../base/components/Button';
import { t } from '../../base/text';
import { AddRow } from './AddRow';
import { Expression } from './Expression';
import { OrExpression } from './Dynamic';
import { labelOf, textOf, type FieldProps } from './scope';

type Row = [key: string, value: unknown];

const rowsOf = (value: unknown): Row[] => (value !== null && typeof value === 'object' ? Object.entries(value) : []);
const objectOf = (rows: Row[]): Record<string, unknown> => Object.fromEntries(rows.filter(([key]) => key !== ''));

/** A row without a name is kept locally until it has one. */
export function ObjectField(props: FieldProps) {
  return (
    <OrExpression {...props}>
      {(toggle) => (
        <Pairs
          label={labelOf(props.name, props.property)}
          help={props.property.description}
          value={props.value}
          onValue={props.onValue}
          toggle={toggle}
        />
      )}
    </OrExpression>
  );
}

export function Pairs({
  label,
  help,
  value,
  onValue,
  toggle,
  startsWithRow = false,
}: {
  label: string;
  help?: string | undefined;
  value: unknown;
  onValue: (value: unknown) => void;
  startsWithRow?: boolean;
  toggle?: preact.ComponentChildren;
}) {
  const [own, setOwn] = useState<Row[]>(rowsOf(value));
  const same = JSON.stringify(objectOf(own)) === JSON.stringify(objectOf(rowsOf(value)));
  const given = same ? own : rowsOf(value);
  const rows: Row[] = startsWithRow && given.length === 0 ? [['', '']] : given;
  const group = useRef<HTMLDivElement>(null);
  const change = (next: Row[]): void => {
    setOwn(next);
    onValue(objectOf(next));
  };
  return (
    <div class="field" role="group" aria-label={label} ref={group}>
      <div class="label">
        <span>{label}</span>
        <span class="spread" />
        {toggle}
      </div>
      {rows.map(([key, part], index) => (
        <div key={index} class="pair">
          <input
            class="input"
            aria-label={t('field.key', { number: index + 1 })}
            placeholder={t('field.name')}
            value={key}
            data-key={label}
            onInput={(event) =>
              change(rows.map((row, at) => (at === index ? [event.currentTarget.value, row[1]] : row)))
            }
          />
          <Expression
            bare
            label={t('field.valueOf', { name: key || String(index + 1) })}
            value={textOf(part)}
            placeholder={t('field.value')}
            onValue={(text) => change(rows.map((row, at) => (at === index ? [row[0], text] : row)))}
          />
          <Button
            kind="quiet"
            size="small"
            icon="x"
            label={t('field.remove', { name: key || String(index + 1) })}
            onClick={() => change(rows.filter((_, at) => at !== index))}
          />
        </div>
      ))}
      <AddRow
        field={label}
        group={group}
        rows={rows.length}
        text={t('field.add')}
        add={() => setOwn([...rows, ['', '']])}
      />
      {help ? <div class="help">{help}</div> : null}
    </div>
  );
}

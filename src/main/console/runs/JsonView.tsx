import { useMemo, useState } from 'preact/hooks';
import { CopyButton } from '../base/components/CopyButton';
import { Icon } from '../base/components/Icon';
import { count, t } from '../base/text';
import { linesOf, type Line } from './tree';

const LINES_MAX = 1_000;
const LETTERS_MAX = 200_000;

export function JsonView({ value, label }: { value: unknown; label: string }) {
  const [asText, setAsText] = useState(false);
  const text = useMemo(() => JSON.stringify(value, null, 2) ?? '', [value]);
  return (
    <div class="json">
      <div class="json-head">
        <div class="segments" role="group" aria-label={t('run.json.view')}>
          <button type="button" aria-pressed={!asText} onClick={() => setAsText(false)}>
            {t('run.json.tree')}
          </button>
          <button type="button" aria-pressed={asText} onClick={() => setAsText(true)}>
            {t('run.json.text')}
          </button>
        </div>
        <span class="spread" />
        <CopyButton text={text} />
      </div>
      {asText ? (
        <>
          <pre class="json-text" tabIndex={0} aria-label={label}>
            {text.slice(0, LETTERS_MAX)}
          </pre>
          {text.length > LETTERS_MAX ? <p class="faint">{t('run.json.tooLong')}</p> : null}
        </>
      ) : (
        <Tree value={value} label={label} />
      )}
    </div>
  );
}

function Tree({ value, label }: { value: unknown; label: string }) {
  const [turned, setTurned] = useState<ReadonlySet<string>>(new Set());
  const lines = useMemo(() => linesOf(value, turned, LINES_MAX), [value, turned]);
  const toggle = (path: string): void =>
    setTurned((before) => {
      const after = new Set(before);
      if (!after.delete(path)) {
        after.add(path);
      }
      return after;
    });
  return (
    <div class="json-tree" role="group" aria-label={label}>
      {lines.map((line) => (
        <TreeLine key={line.path} line={line} toggle={() => toggle(line.path)} />
      ))}
      {lines.length >= LINES_MAX ? <p class="faint">{t('run.json.tooLong')}</p> : null}
    </div>
  );
}

function TreeLine({ line, toggle }: { line: Line; toggle: () => void }) {
  const name = line.name === '' ? '' : <span class="json-name">{line.name}</span>;
  const size = line.kind === 'array' ? count('run.json.items', line.entries) : count('run.json.keys', line.entries);
  return (
    <div class="json-line" style={{ '--depth': line.depth }}>
      {line.entries > 0 ? (
        <button
          type="button"
          aria-expanded={line.open}
          aria-label={t(line.open ? 'run.json.close' : 'run.json.open', { name: line.name || size })}
          onClick={toggle}>
          <Icon name={line.open ? 'chevron-down' : 'chevron-right'} size={14} />
          {name}
          <span class="faint">{size}</span>
        </button>
      ) : (
        <span class="json-leaf">
          {name}
          <span class={`json-${line.kind}`}>{leafOf(line)}</span>
        </span>
      )}
    </div>
  );
}

function leafOf(line: Line): string {
  switch (line.kind) {
    case 'array':
      return '[ ]';
    case 'object':
      return '{ }';
    case 'string':
      return line.text === '' ? '""' : line.text;
    default:
      return line.text;
  }
}

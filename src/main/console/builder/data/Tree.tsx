import { useState } from 'preact/hooks';
import { Icon } from '../../base/components/Icon';
import { count, t } from '../../base/text';
import { REFERENCE } from '../fields/chips';
import { startsUnfolded } from './unfold';

type Path = ReadonlyArray<string | number>;

interface Props {
  name: string;
  value: unknown;
  path?: Path;
  /** Reference of a line, which makes the line draggable. */
  tokenOf?: ((path: Path) => string) | undefined;
  onChoose?: ((path: Path) => void) | undefined;
  open?: boolean;
  filter?: string;
  depth?: number;
}

const CHILDREN_MAX = 100;
const LETTERS_MAX = 120;

const isBranch = (value: unknown): value is object =>
  value !== null && typeof value === 'object' && Object.keys(value).length > 0;

export function brief(value: unknown): string {
  if (Array.isArray(value)) {
    return count('data.items', value.length);
  }
  if (value !== null && typeof value === 'object') {
    return Object.keys(value).length === 0 ? '{}' : '';
  }
  const text = typeof value === 'string' ? `"${value}"` : String(value);
  return text.length > LETTERS_MAX ? text.slice(0, LETTERS_MAX) + '…' : text;
}

function holds(name: string, value: unknown, filter: string, depth = 0): boolean {
  return (
    filter === '' ||
    name.toLowerCase().includes(filter) ||
    brief(value).toLowerCase().includes(filter) ||
    (isBranch(value) &&
      depth < 6 &&
      Object.entries(value)
        .slice(0, CHILDREN_MAX)
        .some(([key, part]) => holds(key, part, filter, depth + 1)))
  );
}

export function Tree({ name, value, path = [], onChoose, tokenOf, open = false, filter = '', depth = 0 }: Props) {
  const [unfolded, setUnfolded] = useState(open || startsUnfolded(name, value, depth));
  const shown = filter !== '' || unfolded;
  const branch = isBranch(value);
  if (!holds(name, value, filter)) {
    return null;
  }
  const children = branch && shown ? Object.entries(value).slice(0, CHILDREN_MAX) : [];
  const more = branch ? Object.keys(value).length - CHILDREN_MAX : 0;
  const kind = value === null ? 'null' : typeof value;
  return (
    <div class="tree-node" role="treeitem" aria-expanded={branch ? shown : undefined}>
      <div class="tree-line">
        {branch ? (
          <button
            type="button"
            class="tree-fold"
            aria-label={t(shown ? 'data.fold' : 'data.unfold', { name })}
            onClick={() => setUnfolded(!unfolded)}>
            <Icon name={shown ? 'chevron-down' : 'chevron-right'} size={14} />
          </button>
        ) : (
          <span class="tree-fold" />
        )}
        {onChoose ? (
          <button
            type="button"
            class="tree-choice"
            data-choice={path.join('.')}
            draggable={tokenOf !== undefined}
            onClick={() => onChoose(path)}
            onDragStart={(event) => tokenOf && event.dataTransfer?.setData(REFERENCE, tokenOf(path))}>
            <span class="tree-key">{name}</span>
            <span class={`tree-value cut is-${kind}`}>{brief(value)}</span>
          </button>
        ) : (
          <span class="tree-text">
            <span class="tree-key">{name}</span>
            <span class={`tree-value is-${kind}`}>{brief(value)}</span>
          </span>
        )}
      </div>
      {children.length > 0 ? (
        <div class="tree-children" role="group">
          {children.map(([key, part]) => (
            <Tree
              key={key}
              name={Array.isArray(value) ? String(Number(key) + 1) : key}
              value={part}
              path={[...path, Array.isArray(value) ? Number(key) : key]}
              onChoose={onChoose}
              tokenOf={tokenOf}
              filter={name.toLowerCase().includes(filter) ? '' : filter}
              depth={depth + 1}
            />
          ))}
          {more > 0 ? <div class="faint tree-more">{count('data.more', more)}</div> : null}
        </div>
      ) : null}
    </div>
  );
}

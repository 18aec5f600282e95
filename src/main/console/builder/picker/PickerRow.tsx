import { Icon } from '../../base/components/Icon';
import { Badge } from '../../base/components/States';
import { t } from '../../base/text';
import { PieceLogo } from '../canvas/PieceLogo';
import type { Step } from '../steps';
import type { Entry } from './catalogue';

export function PickerRow({
  entry,
  id,
  active,
  onActive,
  onChoose,
}: {
  entry: Entry;
  id: string;
  active: boolean;
  onActive: () => void;
  onChoose: () => void;
}) {
  return (
    <li
      id={id}
      role="option"
      data-entry={entry.id}
      aria-selected={active}
      data-active={active}
      onPointerMove={onActive}
      onClick={onChoose}>
      <EntryLogo entry={entry} />
      <span class="picker-words">
        <span class="cut">{entry.title}</span>
        <span class="faint cut">{entry.about}</span>
      </span>
      {entry.missing ? (
        <Badge tone="grey" icon="download">
          {t('install.missing')}
        </Badge>
      ) : entry.kind === 'piece' ? (
        <Icon name="chevron-right" />
      ) : null}
    </li>
  );
}

const TYPES: Record<string, Step['type']> = { code: 'CODE', loop: 'LOOP_ON_ITEMS', router: 'ROUTER' };

function EntryLogo({ entry }: { entry: Entry }) {
  const type = TYPES[entry.kind];
  return type ? (
    <PieceLogo size={20} step={{ type, name: '', displayName: '', valid: true, settings: {} }} />
  ) : (
    <PieceLogo size={20} pieceName={entry.pieceName ?? ''} />
  );
}

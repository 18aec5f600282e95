import type { Permission } from '../permissions';
import { t } from '../text';
import { Icon } from './Icon';
import { Menu, type MenuGroup, type MenuItem } from './Menu';

export const deletion = (perform: () => void, needs?: Permission): MenuItem => ({
  label: t('base.delete'),
  icon: 'trash-2',
  danger: true,
  ...(needs ? { needs } : {}),
  perform,
});

export function RowMenu({ name, groups }: { name: string; groups: MenuGroup[] }) {
  const label = t('flows.actions', { name });
  return (
    <Menu
      label={label}
      groups={groups}
      button={(wiring) => (
        <button class="button quiet icon-only small" type="button" aria-label={label} {...wiring}>
          <Icon name="ellipsis" />
        </button>
      )}
    />
  );
}

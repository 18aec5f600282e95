import { Icon } from '../base/components/Icon';
import { Menu } from '../base/components/Menu';
import { t } from '../base/text';
import type { Asked } from './FlowDialogs';

export function NewFlowMenu({ ask, folderId }: { ask: (asked: Asked) => void; folderId: string }) {
  return (
    <Menu
      label={t('flows.new')}
      groups={[
        {
          items: [
            {
              label: t('flows.new.empty'),
              icon: 'plus',
              needs: 'WRITE_FLOW',
              shortcut: 'c',
              perform: () => ask({ what: 'new', folderId }),
            },
            {
              label: t('flows.new.template'),
              icon: 'layout-template',
              needs: 'WRITE_FLOW',
              perform: () => ask({ what: 'template', folderId }),
            },
            {
              label: t('flows.new.import'),
              icon: 'upload',
              needs: 'WRITE_FLOW',
              perform: () => ask({ what: 'import', folderId }),
            },
          ],
        },
      ]}
      button={(wiring) => (
        <button class="button primary" type="button" {...wiring}>
          <Icon name="plus" />
          {t('flows.new')}
        </button>
      )}
    />
  );
}

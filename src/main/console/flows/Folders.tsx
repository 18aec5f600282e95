import { Button } from '../base/components/Button';
import { Icon, type IconName } from '../base/components/Icon';
import { Menu } from '../base/components/Menu';
import { linkTo } from '../base/router';
import { t } from '../base/text';
import type { Asked } from './FlowDialogs';
import type { Folder } from './model';

interface Props {
  projectId: string;
  folders: Folder[];
  chosen: string;
  area: 'flows' | 'tables';
  ask: (asked: Asked) => void;
}

export function Folders({ projectId, folders, chosen, area, ask }: Props) {
  const link = (id: string, text: string, icon: IconName, count?: number) => (
    <a
      {...linkTo(`/projects/${projectId}/${area}${id ? `?folder=${id}` : ''}`)}
      aria-current={chosen === id ? 'page' : undefined}>
      <Icon name={icon} />
      <span class="cut spread">{text}</span>
      {count === undefined ? null : <span class="faint">{count}</span>}
    </a>
  );
  return (
    <nav class="folders" aria-label={t('flows.folders')}>
      <ul>
        <li>{link('', t(area === 'flows' ? 'flows.all' : 'tables.back'), 'layout-grid')}</li>
        {folders.map((folder) => (
          <li key={folder.id}>
            {link(
              folder.id,
              folder.displayName,
              chosen === folder.id ? 'folder-open' : 'folder',
              area === 'flows' ? folder.numberOfFlows : folder.numberOfTables,
            )}
            <Menu
              label={folder.displayName}
              groups={[
                {
                  items: [
                    {
                      label: t('base.rename'),
                      icon: 'pencil',
                      needs: 'WRITE_FLOW',
                      perform: () => ask({ what: 'renameFolder', folder }),
                    },
                    {
                      label: t('flows.folder.delete'),
                      icon: 'trash-2',
                      danger: true,
                      needs: 'WRITE_FLOW',
                      perform: () => ask({ what: 'deleteFolder', folder }),
                    },
                  ],
                },
              ]}
              button={(wiring) => (
                <button
                  class="button quiet icon-only small"
                  type="button"
                  aria-label={t('flows.actions', { name: folder.displayName })}
                  {...wiring}>
                  <Icon name="ellipsis" />
                </button>
              )}
            />
          </li>
        ))}
        {folders.length > 0 ? <li>{link('NULL', t('flows.noFolder'), 'minus')}</li> : null}
      </ul>
      <Button kind="quiet" size="small" icon="folder-plus" needs="WRITE_FLOW" onClick={() => ask({ what: 'folder' })}>
        {t('flows.folder.new')}
      </Button>
    </nav>
  );
}

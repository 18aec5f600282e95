import { Tabs } from '../base/components/Tabs';
import { Notice } from '../base/components/States';
import { may, useMay, type Permission } from '../base/permissions';
import { narrow, usePlace } from '../base/router';
import { session } from '../base/session';
import { useStore } from '../base/store';
import { t } from '../base/text';
import { Page } from '../frame/Page';
import { Alerts } from './Alerts';
import { GeneralForm } from './GeneralForm';
import { Git } from './git/Git';
import { PiecesForm } from './PiecesForm';
import { Releases } from './releases/Releases';

const VIEWS: ReadonlyArray<{ key: 'general' | 'pieces' | 'alerts' | 'git' | 'releases'; needs: Permission }> = [
  { key: 'general', needs: 'READ_PROJECT' },
  { key: 'pieces', needs: 'READ_PROJECT' },
  { key: 'alerts', needs: 'READ_ALERT' },
  { key: 'git', needs: 'READ_PROJECT_RELEASE' },
  { key: 'releases', needs: 'READ_PROJECT_RELEASE' },
];

export default function SettingsPage({ params }: { params: Record<string, string> }) {
  const { query } = usePlace();
  const project = useStore(session, (now) =>
    now.state === 'in' ? now.projects.find((each) => each.id === params['projectId']) : undefined,
  );
  const mayWrite = useMay('WRITE_PROJECT');
  const views = VIEWS.filter((each) => may(each.needs));
  const view = views.find((each) => each.key === query.get('view'))?.key ?? 'general';
  if (!project) {
    return null;
  }
  return (
    <Page title={t('settings.title')}>
      <Tabs
        label={t('settings.view')}
        chosen={view}
        onChoose={(key) => narrow({ view: key === 'general' ? '' : key })}
        tabs={views.map(({ key }) => ({ key, label: t(`settings.${key}`) }))}>
        <div class="settings" key={project.id}>
          {(view === 'general' || view === 'pieces') && !mayWrite ? (
            <Notice tone="blue">{t('settings.readOnly')}</Notice>
          ) : null}
          {view === 'general' ? (
            <GeneralForm project={project} />
          ) : view === 'pieces' ? (
            <PiecesForm project={project} />
          ) : view === 'alerts' ? (
            <Alerts projectId={project.id} />
          ) : view === 'git' ? (
            <Git projectId={project.id} />
          ) : (
            <Releases project={project} />
          )}
        </div>
      </Tabs>
    </Page>
  );
}

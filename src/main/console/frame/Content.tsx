import { useEffect } from 'preact/hooks';
import { failure } from '../base/api/failure';
import { Empty, Failed, Skeleton } from '../base/components/States';
import { allowed, may, roleIn } from '../base/permissions';
import { useQuery } from '../base/query';
import { navigate, usePlace, type Shown } from '../base/router';
import { useStore } from '../base/store';
import { t } from '../base/text';
import { permittedArea } from './areas';
import { NotFound } from './NotFound';

export function Content({ shown, projectId }: { shown: Shown; projectId: string }) {
  const { path } = usePlace();
  const known = useStore(allowed);
  const role = useQuery(`role ${projectId}`, () => roleIn(projectId));
  useEffect(() => {
    if (role.value) {
      allowed.set(role.value);
    }
  }, [role.value]);
  useEffect(() => {
    if (path === '/' && known?.projectId === projectId) {
      navigate(`/projects/${projectId}/${permittedArea(known.permissions).path}`, 'replace');
    }
  }, [path, known]);
  if (shown.pattern === '' && path !== '/') {
    return <NotFound home="/" />;
  }
  if (shown.failed) {
    return <Failed failure={failure('OFFLINE')} retry={() => location.reload()} />;
  }
  if (role.failure) {
    return <Failed failure={role.failure} retry={role.reload} />;
  }
  if (!shown.view || known?.projectId !== projectId) {
    return (
      <div class="page">
        <Skeleton lines={4} />
      </div>
    );
  }
  return may(shown.needs) ? <shown.view params={shown.params} key={shown.pattern} /> : <NotAllowed role={known.role} />;
}

function NotAllowed({ role }: { role: string }) {
  return <Empty icon="lock" title={t('page.notAllowed.title')} text={t('page.notAllowed.text', { role })} />;
}

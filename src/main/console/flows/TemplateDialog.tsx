import { Dialog } from '../base/components/Dialog';
import { navigate } from '../base/router';
import { t } from '../base/text';
import { StarterList } from '../start/StarterList';
import { PlatformTemplates } from './PlatformTemplates';

/** Each template is created as a draft and stays disabled until the user publishes it. */
export function TemplateDialog({
  projectId,
  folderId,
  close,
}: {
  projectId: string;
  folderId: string;
  close: () => void;
}) {
  const open = (flowId: string): void => {
    close();
    navigate(`/projects/${projectId}/flows/${flowId}`);
  };
  return (
    <Dialog title={t('flows.template.title')} onClose={close} wide={600}>
      <div class="body">
        <p class="faint">{t('template.draft')}</p>
        <StarterList projectId={projectId} folderId={folderId} publishes={false} done={(made) => open(made.flowId)} />
        <PlatformTemplates projectId={projectId} folderId={folderId} done={open} />
      </div>
    </Dialog>
  );
}

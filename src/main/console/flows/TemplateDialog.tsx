import { Dialog } from '../base/components/Dialog';
import { navigate } from '../base/router';
import { t } from '../base/text';
import { StarterList } from '../start/StarterList';

/** The five flows to begin with, at any later time. */
export function TemplateDialog({ projectId, close }: { projectId: string; folderId: string; close: () => void }) {
  return (
    <Dialog title={t('flows.template.title')} onClose={close} wide={600}>
      <div class="body">
        <StarterList projectId={projectId} done={(made) => {
          close();
          navigate(`/projects/${projectId}/flows/${made.flowId}`);
        }} />
      </div>
    </Dialog>
  );
}

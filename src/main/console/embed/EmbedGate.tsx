import { Empty, Skeleton } from '../base/components/States';
import { useStore } from '../base/store';
import { t } from '../base/text';
import { embedding } from './host';

/** Waiting screen in a frame until the host has sent its token. */
export function EmbedGate() {
  const refusal = useStore(embedding, (now) => now.refusal);
  return (
    <div class="centre">
      {refusal ? <Empty icon="lock" title={t('embedded.refused')} text={refusal} /> : <Skeleton lines={2} />}
    </div>
  );
}

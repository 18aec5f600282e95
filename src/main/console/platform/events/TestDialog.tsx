import { useState } from 'preact/hooks';
import type { EventAction } from '#api';
import { api } from '../../base/api/client';
import { settle } from '../../base/api/failure';
import { ComboField } from '../../base/components/Combobox';
import { FormDialog } from '../../base/components/Dialog';
import { say } from '../../base/components/Toasts';
import { t } from '../../base/text';
import { worded, type Destination } from './model';

export function TestDialog({ destination, close }: { destination: Destination; close: () => void }) {
  const [event, setEvent] = useState<EventAction>(destination.events[0] ?? 'flow.created');
  return (
    <FormDialog
      title={t('events.test')}
      submit={t('events.send')}
      onClose={close}
      perform={async () =>
        settle(await api('POST /v1/event-destinations/test', { body: { url: destination.url, event } }), () =>
          say(t('events.sent')),
        )
      }>
      {() => (
        <>
          <p class="faint">{t('events.testText', { url: destination.url })}</p>
          <ComboField
            label={t('events.event')}
            value={event}
            onValue={(value) => setEvent(value as EventAction)}
            options={destination.events.map((value) => ({ value, label: worded(value) }))}
          />
        </>
      )}
    </FormDialog>
  );
}

import { useState } from 'preact/hooks';
import { api } from '../base/api/client';
import type { Failure } from '../base/api/failure';
import { reliably } from '../base/api/reliably';
import { Button } from '../base/components/Button';
import { Dialog, FormDialog } from '../base/components/Dialog';
import { TextField } from '../base/components/Field';
import { Notice } from '../base/components/States';
import { say } from '../base/components/Toasts';
import { t } from '../base/text';
import { PermissionGrid } from './PermissionGrid';
import { SUBJECTS, toggled, type Permission, type Role } from './model';

/** Wide enough for one line per subject, in pixels. */
const WIDTH = 560;

/** Built-in roles are read-only. */
export function RoleDialog({
  role,
  isAdmin,
  close,
  changed,
}: {
  role?: Role;
  isAdmin: boolean;
  close: () => void;
  changed: () => void;
}) {
  const [name, setName] = useState(role?.name ?? '');
  const [permissions, setPermissions] = useState<ReadonlySet<Permission>>(
    new Set(role?.permissions ?? ['READ_FLOW', 'READ_RUN']),
  );
  const title = role ? t('people.roles.of', { name: role.name }) : t('people.roles.new');
  if (role && (role.type === 'DEFAULT' || !isAdmin)) {
    return (
      <Dialog
        title={title}
        onClose={close}
        wide={WIDTH}
        footer={
          <footer>
            <Button onClick={close}>{t('base.close')}</Button>
          </footer>
        }>
        <div class="body" role="group" aria-label={t('people.roles.look')} tabIndex={0}>
          {role.type === 'DEFAULT' ? <Notice tone="grey">{t('people.roles.fixed')}</Notice> : null}
          <PermissionGrid subjects={SUBJECTS} chosen={permissions} />
        </div>
      </Dialog>
    );
  }
  const perform = async (): Promise<Failure | undefined> => {
    const body = { name: name.trim(), permissions: [...permissions] };
    const saved = role
      ? await api('POST /v1/project-roles/{id}', { path: { id: role.id }, body })
      : await reliably('POST /v1/project-roles', { body: { ...body, type: 'CUSTOM' } });
    if (saved.ok) {
      say(t('people.roles.saved', { name: body.name }));
      changed();
    }
    return saved.ok ? undefined : saved.failure;
  };
  return (
    <FormDialog
      title={title}
      submit={t('base.save')}
      onClose={close}
      perform={perform}
      disabled={name.trim() === ''}
      wide={WIDTH}>
      {(problems) => (
        <>
          <TextField
            label={t('people.roles.name')}
            value={name}
            onValue={setName}
            problem={problems['name']}
            control={{ name: 'name', maxLength: 255, autocomplete: 'off' }}
          />
          <PermissionGrid
            subjects={SUBJECTS}
            chosen={permissions}
            onToggle={(permission, on) => setPermissions(toggled(permissions, permission, on))}
          />
        </>
      )}
    </FormDialog>
  );
}

import { useState } from 'preact/hooks';
import { api } from '../base/api/client';
import type { Failure } from '../base/api/failure';
import { reliably } from '../base/api/reliably';
import { Button } from '../base/components/Button';
import { Dialog, FormDialog } from '../base/components/Dialog';
import { Checkbox, TextField } from '../base/components/Field';
import { Notice } from '../base/components/States';
import { say } from '../base/components/Toasts';
import { t, type TextKey } from '../base/text';
import { SUBJECTS, toggled, type Permission, type Role } from './model';

/** Permissions of a role; built-in roles are read-only. */
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
        footer={
          <footer>
            <Button onClick={close}>{t('base.close')}</Button>
          </footer>
        }>
        <div class="body" role="group" aria-label={t('people.roles.look')} tabIndex={0}>
          {role.type === 'DEFAULT' ? <Notice tone="grey">{t('people.roles.fixed')}</Notice> : null}
          <Permissions permissions={permissions} />
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
    <FormDialog title={title} submit={t('base.save')} onClose={close} perform={perform} disabled={name.trim() === ''}>
      {(problems) => (
        <>
          <TextField
            label={t('people.roles.name')}
            value={name}
            onValue={setName}
            problem={problems['name']}
            control={{ name: 'name', maxLength: 255, autocomplete: 'off' }}
          />
          <Permissions
            permissions={permissions}
            onToggle={(permission, on) => setPermissions(toggled(permissions, permission, on))}
          />
        </>
      )}
    </FormDialog>
  );
}

const verbOf = (permission: Permission): TextKey => `people.verb.${permission.split('_')[0] as 'READ'}`;

function Permissions({
  permissions,
  onToggle,
}: {
  permissions: ReadonlySet<Permission>;
  onToggle?: (permission: Permission, on: boolean) => void;
}) {
  return (
    <div class="role-permissions">
      {SUBJECTS.map((subject) => (
        <fieldset key={subject.key}>
          <legend>{t(`people.subject.${subject.key}` as TextKey)}</legend>
          {subject.permissions.map((permission) => (
            <Checkbox
              key={permission}
              label={t(verbOf(permission))}
              checked={permissions.has(permission)}
              disabled={!onToggle}
              onChange={(on) => onToggle?.(permission, on)}
            />
          ))}
        </fieldset>
      ))}
    </div>
  );
}

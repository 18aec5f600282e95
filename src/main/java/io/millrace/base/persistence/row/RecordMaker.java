package io.millrace.base.persistence.row;

import static java.lang.constant.ConstantDescs.CD_Object;
import static java.lang.constant.ConstantDescs.CD_void;
import static java.lang.constant.ConstantDescs.INIT_NAME;
import static java.lang.constant.ConstantDescs.MTD_void;

import java.lang.classfile.ClassFile;
import java.lang.classfile.CodeBuilder;
import java.lang.constant.ClassDesc;
import java.lang.constant.MethodTypeDesc;
import java.lang.invoke.MethodHandles;
import java.lang.reflect.AccessFlag;
import java.util.function.Function;

/**
 * Calls of canonical constructors of records, as hidden classes. A method handle does the same, but the first use of each takes
 * 3 to 11 ms instead of 1 ms, because the JVM makes classes for each new combination of types (decision 0416).
 */
final class RecordMaker {
    private RecordMaker() {}

    /** Makes a function from the values of all components, in their order, to a record, which may be private. */
    @SuppressWarnings("unchecked") // The class that was just made has this type.
    static Function<Object[], Object> of(Class<?> type) {
        try {
            var hidden = MethodHandles.privateLookupIn(type, MethodHandles.lookup())
                    .defineHiddenClass(bytes(type), true, MethodHandles.Lookup.ClassOption.NESTMATE)
                    .lookupClass();
            return (Function<Object[], Object>) hidden.getDeclaredConstructor().newInstance();
        } catch (ReflectiveOperationException impossible) {
            throw new IllegalStateException(type.getName() + ": expected a record with its constructor", impossible);
        }
    }

    private static byte[] bytes(Class<?> type) {
        return ClassFile.of()
                .build(
                        ClassDesc.of(type.getPackageName(), type.getSimpleName() + "Maker"),
                        made -> made.withInterfaceSymbols(desc(Function.class))
                                .withMethodBody(
                                        INIT_NAME,
                                        MTD_void,
                                        AccessFlag.PUBLIC.mask(),
                                        code -> code.aload(0)
                                                .invokespecial(CD_Object, INIT_NAME, MTD_void)
                                                .return_())
                                .withMethodBody(
                                        "apply",
                                        MethodTypeDesc.of(CD_Object, CD_Object),
                                        AccessFlag.PUBLIC.mask(),
                                        code -> call(code, type)));
    }

    private static void call(CodeBuilder code, Class<?> type) {
        var components = type.getRecordComponents();
        var parameters = new ClassDesc[components.length];
        code.aload(1).checkcast(CD_Object.arrayType()).astore(2);
        code.new_(desc(type)).dup();
        for (var index = 0; index < components.length; index++) {
            parameters[index] = desc(components[index].getType());
            code.aload(2).loadConstant(index).aaload();
            cast(code, components[index].getType());
        }
        code.invokespecial(desc(type), INIT_NAME, MethodTypeDesc.of(CD_void, parameters))
                .areturn();
    }

    private static void cast(CodeBuilder code, Class<?> type) {
        if (type.isPrimitive()) {
            var boxed = desc(boxed(type));
            code.checkcast(boxed).invokevirtual(boxed, type.getName() + "Value", MethodTypeDesc.of(desc(type)));
        } else {
            code.checkcast(desc(type));
        }
    }

    private static Class<?> boxed(Class<?> type) {
        if (type == boolean.class) {
            return Boolean.class;
        }
        if (type == int.class) {
            return Integer.class;
        }
        return type == long.class ? Long.class : Double.class;
    }

    private static ClassDesc desc(Class<?> type) {
        return ClassDesc.ofDescriptor(type.descriptorString());
    }
}

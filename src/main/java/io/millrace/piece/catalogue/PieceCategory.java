package io.millrace.piece.catalogue;

/** Category of a piece (contract pieces 2.2). */
public enum PieceCategory {
    ARTIFICIAL_INTELLIGENCE,
    COMMUNICATION,
    COMMERCE,
    CORE,
    UNIVERSAL_AI,
    FLOW_CONTROL,
    BUSINESS_INTELLIGENCE,
    ACCOUNTING,
    PRODUCTIVITY,
    CONTENT_AND_FILES,
    DEVELOPER_TOOLS,
    CUSTOMER_SUPPORT,
    FORMS_AND_SURVEYS,
    HUMAN_RESOURCES,
    PAYMENT_PROCESSING,
    MARKETING,
    SALES_AND_CRM
}

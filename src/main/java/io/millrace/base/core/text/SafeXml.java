package io.millrace.base.core.text;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import javax.xml.XMLConstants;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.w3c.dom.Document;
import org.xml.sax.ErrorHandler;
import org.xml.sax.SAXException;
import org.xml.sax.SAXParseException;

/** Parses untrusted XML: no document type, so no entities; nothing is fetched; the parser's own limits apply. */
public final class SafeXml {
    private static final String NO_DOCTYPE = "http://apache.org/xml/features/disallow-doctype-decl";

    private SafeXml() {}

    /** @throws IllegalArgumentException when it is no XML of that kind */
    public static Document parse(byte[] bytes) {
        try {
            var factory = DocumentBuilderFactory.newDefaultNSInstance();
            factory.setFeature(XMLConstants.FEATURE_SECURE_PROCESSING, true);
            factory.setFeature(NO_DOCTYPE, true);
            factory.setAttribute(XMLConstants.ACCESS_EXTERNAL_DTD, "");
            factory.setAttribute(XMLConstants.ACCESS_EXTERNAL_SCHEMA, "");
            factory.setXIncludeAware(false);
            factory.setExpandEntityReferences(false);
            var builder = factory.newDocumentBuilder();
            builder.setErrorHandler(new Thrown());
            return builder.parse(new ByteArrayInputStream(bytes));
        } catch (SAXException | IOException malformed) {
            throw new IllegalArgumentException("expected XML without a document type", malformed);
        } catch (ParserConfigurationException impossible) {
            throw new IllegalStateException("the parser of the JDK knows these features", impossible);
        }
    }

    /** The parser would otherwise print errors to the standard error output. */
    private static final class Thrown implements ErrorHandler {
        @Override
        public void warning(SAXParseException exception) {
            // A warning does not affect the result.
        }

        @Override
        public void error(SAXParseException exception) throws SAXException {
            throw exception;
        }

        @Override
        public void fatalError(SAXParseException exception) throws SAXException {
            throw exception;
        }
    }
}
